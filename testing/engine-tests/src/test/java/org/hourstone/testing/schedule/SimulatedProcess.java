package org.hourstone.testing.schedule;

import java.util.ArrayList;
import java.util.List;

/** A process: its actors share objects, and die together. */
final class SimulatedProcess {
  final String name;

  /** Whether several of its actors share objects: then the order of replies matters, too. */
  final boolean shared;

  final List<Actor> actors = new ArrayList<>();
  volatile boolean crashed;

  private SimulatedProcess(String name, boolean shared) {
    this.name = name;
    this.shared = shared;
  }

  /** A process of one actor. */
  static SimulatedProcess alone(String name) {
    return new SimulatedProcess(name, false);
  }

  /** A process of several threads that share objects. */
  static SimulatedProcess shared(String name) {
    return new SimulatedProcess(name, true);
  }

  /** Which of its actors calls: the only one, whatever thread works for it, or the thread's. */
  Actor current() {
    return shared ? Actor.ofThread() : actors.get(0);
  }
}
