package org.hourstone.testing.life;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.write.ImportListener;

/** Expects that no line of an import is rejected. */
final class LoadedLines implements ImportListener {
  private final List<String> rejected = new ArrayList<>();

  @Override
  public void rejected(String place, String reason) {
    rejected.add(place + " " + reason);
  }

  @Override
  public void read(long lines) {}

  @Override
  public void stored(String file, long lineNumber) {}

  void check() {
    if (!rejected.isEmpty()) {
      throw new IllegalStateException("rejected: " + rejected);
    }
  }
}
