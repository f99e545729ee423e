"""The equipment drivers that ship with tablectl."""
