package org.hourstone.tool;

import java.util.function.Consumer;

/** A listener that several threads call, one at a time. */
record OneAtATime<L>(L listener) {
  void call(Consumer<L> event) {
    synchronized (listener) {
      event.accept(listener);
    }
  }
}
