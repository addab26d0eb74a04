package org.hourstone.index;

import java.util.BitSet;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * A test of a tag's values by their names. Called by the thread that asks, and not under any lock;
 * its exceptions are passed on. Thread-safe.
 */
public interface NameTest {
  /** Identifies the test: tests of the same text have the same results. */
  String text();

  /** Which of some values pass, by their positions; a value without a name may pass. */
  BitSet passing(List<byte[]> tagvs);

  /** Says, from now on, whether results obtained after this call are still valid. */
  BooleanSupplier validity();
}
