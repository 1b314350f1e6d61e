"""What the settings consist of besides single values. The table of settings itself is config.py."""
