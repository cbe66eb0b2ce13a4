"""Op types about linear algebra."""
