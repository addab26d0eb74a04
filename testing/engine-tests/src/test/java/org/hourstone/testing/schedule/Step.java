package org.hourstone.testing.schedule;

import java.util.List;
import java.util.function.Supplier;
import org.hourstone.kv.Bytes;
import org.hourstone.kv.Family;
import org.jspecify.annotations.Nullable;

/**
 * One step of an actor: a call of the store, up to the actor's next call; or, where actors share
 * objects, the reply to a call, by which its thread goes on.
 */
final class Step {
  /** What the order of steps matters for. */
  enum Kind {
    READ,
    CHANGE,
    REPLY
  }

  final Actor actor;
  final Kind kind;

  /** The first step of an operation: whether another operation has ended before it matters. */
  final boolean begins;

  final @Nullable Family family;

  /** The rows it touches; empty for a range, which may have any row. */
  final List<Bytes> rows;

  private final Supplier<String> text;
  Fate fate = Fate.DONE;
  String result = "";

  Step(
      Actor actor,
      Kind kind,
      boolean begins,
      @Nullable Family family,
      List<Bytes> rows,
      Supplier<String> text) {
    this.actor = actor;
    this.kind = kind;
    this.begins = begins;
    this.family = family;
    this.rows = rows;
    this.text = text;
  }

  /** An operation begins where actors share objects. */
  static Step begins(Actor actor, String what) {
    return new Step(actor, Kind.REPLY, true, null, List.of(), () -> "begins to " + what);
  }

  /** A thread goes on after a call, where actors share objects. */
  static Step reply(Actor actor) {
    return new Step(actor, Kind.REPLY, false, null, List.of(), () -> "goes on");
  }

  /** Whether it makes no difference which of two steps of different actors is first. */
  boolean isIndependentOf(Step other) {
    if (begins || other.begins) {
      return false;
    }
    if (kind == Kind.REPLY || other.kind == Kind.REPLY) {
      return kind != other.kind || actor.process != other.actor.process;
    }
    return (kind == Kind.READ && other.kind == Kind.READ)
        || (family != null && !family.equals(other.family))
        || (!rows.isEmpty()
            && !other.rows.isEmpty()
            && rows.stream().noneMatch(other.rows::contains));
  }

  @Override
  public String toString() {
    return actor.name + ": " + text.get() + (fate == Fate.DONE ? "" : " [" + fate + "]") + result;
  }
}
