"""Graphs of graphs: derivatives and batches, made from what each op states."""
