"""Ranking of hands, one module for each size of hand; each chapter's order and ace-low rule are that module's data."""
