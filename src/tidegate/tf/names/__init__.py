"""TensorFlow's functions, each thin: it converts, checks, and makes one operation of functions of ours."""
