"""Op types about sound and Fourier transforms."""
