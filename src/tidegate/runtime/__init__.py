"""Giving tensors their values, and Tensor its operators."""
