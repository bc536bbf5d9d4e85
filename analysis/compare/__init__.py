"""How rule sets differ when the same bots play the same walls under each of them."""
