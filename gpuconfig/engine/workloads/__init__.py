"""What is to be done, on which hardware and split how: training, serving, image, video and vision."""
