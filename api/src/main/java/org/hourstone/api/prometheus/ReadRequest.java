package org.hourstone.api.prometheus;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.hourstone.api.proto.ProtoReader;
import org.hourstone.api.proto.UnreadableException;
import org.hourstone.api.request.ApiException;
import org.jspecify.annotations.Nullable;

/** A request of remote read, {@code prometheus.ReadRequest}. */
record ReadRequest(List<Selection> selections) {
  private static final int QUERY = 1;
  private static final int ACCEPTED = 2;

  private static final int START = 1;
  private static final int END = 2;
  private static final int MATCHER = 3;

  /** The type of response that there is. */
  private static final int SAMPLES = 0;

  /** How many steps all regular expressions of a request may be compiled to: some megabytes. */
  private static final long MOST_REGEX = 1_000_000;

  private static final Pattern REPEAT = Pattern.compile("\\{(\\d*)(?:,(\\d*))?}");

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
   * @throws ApiException if it accepts no type of response that there is
   * @throws org.hourstone.error.RequestException if a regular expression in it is malformed
   */
  static ReadRequest read(ProtoReader in) throws UnreadableException {
    return new Reading(in).read();
  }

  private static final class Reading {
    private final ProtoReader in;
    private final List<Selection> selections = new ArrayList<>();
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
      return new ReadRequest(selections);
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
        regexes += size(value);
        if (regexes > MOST_REGEX) {
          throw bad("the regular expressions of the request are too large, with that of " + name);
        }
      }
      return new LabelMatcher(known, name, value);
    }

    /**
     * At least the steps that an expression is compiled to, as if each repeat were in another; no
     * more than just too many.
     */
    private static long size(String regex) {
      long size = Math.min(regex.length(), MOST_REGEX + 1);
      Matcher repeat = REPEAT.matcher(regex);
      while (size <= MOST_REGEX && repeat.find()) {
        size *= Math.max(number(repeat.group(1)), number(repeat.group(2)));
      }
      return Math.min(size, MOST_REGEX + 1);
    }

    private static long number(@Nullable String digits) {
      if (digits == null || digits.isEmpty()) {
        return 1;
      }
      return digits.length() > 4 ? MOST_REGEX : Math.max(1, Long.parseLong(digits));
    }

    private static ApiException bad(String why) {
      return new ApiException(ApiException.BAD_REQUEST, "Bad request", why);
    }
  }
}
