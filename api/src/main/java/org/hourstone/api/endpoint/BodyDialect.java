package org.hourstone.api.endpoint;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import org.hourstone.internal.Json;

/**
 * How the bodies of requests are read ({@code hourstone.strict=requests}). See {@code
 * docs/api.md#bodies}.
 */
public enum BodyDialect {
  HOURSTONE,
  OPENTSDB {
    /** OpenTSDB ignores what follows. */
    @Override
    public boolean readsOnlyFirstValue() {
      return true;
    }

    /** OpenTSDB takes a mark for text that is not JSON. */
    @Override
    public boolean skipsMark() {
      return false;
    }

    /** OpenTSDB takes an empty list or object for a value. */
    @Override
    public boolean takesEmptyAsAbsent() {
      return false;
    }

    /** OpenTSDB refuses all points of a body if a member of one has another type. */
    @Override
    public boolean refusesAllPointsForOne() {
      return true;
    }

    /** In OpenTSDB each of the two replaces the filters before it. */
    @Override
    public boolean replacesFilters() {
      return true;
    }

    /** In OpenTSDB the last one counts. */
    @Override
    public boolean takesRepeatedMembers() {
      return true;
    }

    /** OpenTSDB ignores it. */
    @Override
    public boolean takesUnknownMembers() {
      return true;
    }

    /** OpenTSDB takes it for 0. */
    @Override
    boolean takesNullForZero() {
      return true;
    }

    /** OpenTSDB drops it. */
    @Override
    boolean dropsFractions() {
      return true;
    }
  };

  private static final char MARK = '\uFEFF';

  /** Whether only the first value of a body is read, else text after it is refused. */
  public boolean readsOnlyFirstValue() {
    return false;
  }

  /** Whether a body may begin with a byte order mark. */
  public boolean skipsMark() {
    return true;
  }

  /** Whether an object may have a member twice, or a request several where one is expected. */
  public boolean takesRepeatedMembers() {
    return false;
  }

  /** Whether an object may have a member that its reader doesn't know, else it is refused. */
  public boolean takesUnknownMembers() {
    return false;
  }

  /** A parser of a body, which refuses a repeated member. */
  public JsonParser parser(String body) throws IOException {
    JsonParser json = Json.parser(withoutMark(body));
    return takesRepeatedMembers()
        ? json
        : json.enable(JsonParser.Feature.STRICT_DUPLICATE_DETECTION);
  }

  /** Whether an empty list or object is as if it were not there, like null. */
  public boolean takesEmptyAsAbsent() {
    return true;
  }

  /** Whether a member of the wrong type costs all points of a body, else only its point. */
  public boolean refusesAllPointsForOne() {
    return false;
  }

  /** Whether of the tags and the filters of a query only the later ones count, else both. */
  public boolean replacesFilters() {
    return false;
  }

  /** Whether null is 0 where a whole number is expected, else it is absent. */
  boolean takesNullForZero() {
    return false;
  }

  /** Whether a number may have a fraction where a whole one is expected, else it is refused. */
  boolean dropsFractions() {
    return false;
  }

  /** A body without a byte order mark. */
  public final String withoutMark(String body) {
    return skipsMark() && !body.isEmpty() && body.charAt(0) == MARK ? body.substring(1) : body;
  }
}
