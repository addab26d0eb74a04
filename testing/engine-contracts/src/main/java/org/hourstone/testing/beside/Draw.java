package org.hourstone.testing.beside;

import java.util.List;
import java.util.Random;
import org.hourstone.testing.reference.Features;

/** Draws at random and counts what is drawn. */
record Draw(Random random, Features features) {
  <T> T one(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }

  String feature(String kind, List<String> of) {
    String drawn = one(of);
    features.count(kind, drawn);
    return drawn;
  }

  int below(int bound) {
    return random.nextInt(bound);
  }

  /** True once in a number of times. */
  boolean once(int in) {
    return random.nextInt(in) == 0;
  }

  /** As {@link #once(int)}; counted if true. */
  boolean feature(int in, String kind, String name) {
    boolean drawn = once(in);
    features.countIf(drawn, kind, name);
    return drawn;
  }
}
