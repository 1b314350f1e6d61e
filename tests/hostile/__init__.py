"""Documents that try to take over the assistant, and harmless ones that only speak of such things."""
