package org.hourstone.index;

import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A test of a tag's values by their names. Called by the requesting thread, without holding a lock;
 * its exceptions are passed on. Thread-safe.
 */
public interface NameTest {
  /** Identifies the test: tests with the same text have the same results. */
  String text();

  /** The values that pass, by their positions; a value without a name may pass. */
  BitSet passing(List<byte[]> tagvs);

  /** A supplier that returns whether results obtained after this call are still valid. */
  BooleanSupplier validity();
}
