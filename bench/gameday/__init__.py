"""Real brokers and real processes under every fault that the field knows, and whether anything was lost."""
