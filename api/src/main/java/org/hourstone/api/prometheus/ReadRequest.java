package org.hourstone.api.prometheus;

import java.util.ArrayList;
import java.util.List;
import org.hourstone.api.proto.ProtoReader;
import org.hourstone.api.proto.UnreadableException;
import org.hourstone.api.request.ApiException;
import org.hourstone.series.MemoryLease;

/**
 * A request of remote read, {@code prometheus.ReadRequest}.
 *
 * @param steps about how many steps its regular expressions are compiled to
 */
record ReadRequest(List<Selection> selections, long steps) {
  private static final int QUERY = 1;
  private static final int ACCEPTED = 2;

  private static final int START = 1;
  private static final int END = 2;
  private static final int MATCHER = 3;

  /** The type of response that there is. */
  private static final int SAMPLES = 0;

  /** How many steps all regular expressions of a request may be compiled to. */
  private static final long MOST_REGEX = 1_000_000;

  /** What a step takes, and a value that is tested with it. */
  private static final int STEP_BYTES = 80;

  /** How many characters they may have. */
  private static final int MOST_CHARACTERS = 1 << 18;

  /**
   * One query of the request.
   *
   * @param startMillis inclusive, and so is the end
   */
  record Selection(long startMillis, long endMillis, List<LabelMatcher> matchers) {
    @Override
    public String toString() {
      return matchers + " from " + startMillis + " to " + endMillis + " ms";
    }
  }

  /**
   * Reads a request.
   *
   * @throws UnreadableException if it is malformed
   * @throws ApiException if it accepts no type of response that there is, or its regular
   *     expressions are too large
   */
  static ReadRequest read(ProtoReader in) throws UnreadableException {
    return new Reading(in).read();
  }

  /**
   * Compiles the regular expressions.
   *
   * @param memory what they take
   * @throws org.hourstone.query.QueryLimitException if that is too much
   * @throws org.hourstone.error.RequestException if one of them is malformed
   */
  void compile(MemoryLease memory) {
    memory.grow(STEP_BYTES * steps);
    for (Selection selection : selections) {
      selection.matchers().forEach(LabelMatcher::compile);
    }
  }

  private static final class Reading {
    private final ProtoReader in;
    private final List<Selection> selections = new ArrayList<>();
    private long characters;
    private long regexes;
    private boolean acceptsOthers;
    private boolean acceptsSamples;

    Reading(ProtoReader in) {
      this.in = in;
    }

    ReadRequest read() throws UnreadableException {
      while (in.next()) {
        switch (in.field()) {
          case QUERY -> selections.add(selection());
          case ACCEPTED -> readAccepted();
          default -> {}
        }
      }
      if (acceptsOthers && !acceptsSamples) {
        throw bad("the request accepts no SAMPLES, the only type of response that there is");
      }
      return new ReadRequest(selections, regexes);
    }

    private void readAccepted() throws UnreadableException {
      if (!in.isRange()) {
        accept(in.number());
        return;
      }
      int outer = in.enter();
      while (in.hasMore()) {
        accept(in.varint());
      }
      in.leave(outer);
    }

    private void accept(long type) {
      acceptsSamples |= type == SAMPLES;
      acceptsOthers |= type != SAMPLES;
    }

    private Selection selection() throws UnreadableException {
      long start = 0;
      long end = 0;
      List<LabelMatcher> matchers = new ArrayList<>();
      int outer = in.enter();
      while (in.next()) {
        switch (in.field()) {
          case START -> start = in.number();
          case END -> end = in.number();
          case MATCHER -> matchers.add(matcher());
          default -> {}
        }
      }
      in.leave(outer);
      return new Selection(start, end, matchers);
    }

    private LabelMatcher matcher() throws UnreadableException {
      long type = 0;
      String name = "";
      String value = "";
      int outer = in.enter();
      while (in.next()) {
        switch (in.field()) {
          case 1 -> type = in.number();
          case 2 -> name = in.text();
          case 3 -> value = in.text();
          default -> {}
        }
      }
      in.leave(outer);
      LabelMatcher.Type known = LabelMatcher.Type.of(type);
      if (known == null) {
        throw bad("a matcher of " + name + " has the unknown type " + type);
      }
      if (known.isRegex()) {
        characters += value.length();
        if (characters <= MOST_CHARACTERS && !LabelMatcher.isList(value)) {
          regexes += RegexShape.of(value, LabelMatcher.MOST_DEPTH).steps();
        }
        if (characters > MOST_CHARACTERS || regexes > MOST_REGEX) {
          throw bad("the regular expressions of the request are too large, with that of " + name);
        }
      }
      return new LabelMatcher(known, name, value);
    }

    private static ApiException bad(String why) {
      return new ApiException(ApiException.BAD_REQUEST, "Bad request", why);
    }
  }
}
