"""What anybody could do instead, beside ours in every table."""
