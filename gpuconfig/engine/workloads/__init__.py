"""What is to be done: training, serving, image, video and vision workloads, the hardware and the parallelism asked for."""
