"""What users tell AutoGraph in their code."""
