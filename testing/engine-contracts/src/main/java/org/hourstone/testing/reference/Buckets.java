package org.hourstone.testing.reference;

/** Where the buckets of downsampling begin. */
interface Buckets {
  /** The start of the bucket that a time is in. */
  long start(long millis);

  /** The start of the bucket after that which starts then. */
  long next(long start);
}
