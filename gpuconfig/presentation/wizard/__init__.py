"""The wizard as data: steps, questions, what follows from each answer, and the request they add up to."""
