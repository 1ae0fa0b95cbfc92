"""Twenty tables of bots on the whole product while its processes are killed; afterwards everything is checked."""
