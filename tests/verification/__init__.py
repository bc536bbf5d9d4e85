"""Long statistical checks against exact truths; marked ``verify``, outside of what runs by default."""
