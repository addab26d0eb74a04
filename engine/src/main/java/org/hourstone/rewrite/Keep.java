package org.hourstone.rewrite;

/** Which of several values of one timestamp is kept. */
public enum Keep {
  OLDEST,
  NEWEST,
  LARGEST,
  SMALLEST
}
