"""Questions about single hands, asked as plain data (JSON, keywords): checked, answered, told in words."""
