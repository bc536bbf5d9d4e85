"""What trace logs say beyond the strategy tips; one module for each question, `page` prints them."""
