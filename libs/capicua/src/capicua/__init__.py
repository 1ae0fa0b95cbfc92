"""Play dominoes on Capicua: the client SDK and the capicua command."""
