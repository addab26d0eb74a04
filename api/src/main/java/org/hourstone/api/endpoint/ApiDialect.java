package org.hourstone.api.endpoint;

import com.fasterxml.jackson.core.JsonParser;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.ZoneId;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Set;
import java.util.TimeZone;
import org.hourstone.annotation.Annotation;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.codec.Timestamps;
import org.hourstone.error.RequestException;
import org.hourstone.internal.DecimalForm;
import org.hourstone.query.QueryDialect;
import org.jspecify.annotations.Nullable;

/**
 * How requests for queries are read and their errors are reported ({@code
 * hourstone.strict=requests}). See {@code docs/api.md}.
 */
public enum ApiDialect {
  HOURSTONE(QueryDialect.HOURSTONE, BodyDialect.HOURSTONE),
  OPENTSDB(QueryDialect.OPENTSDB, BodyDialect.OPENTSDB) {
    /** OpenTSDB supports a zone only in bodies. */
    @Override
    public @Nullable String timezone(ApiCall call) {
      return null;
    }

    /** OpenTSDB has them only in bodies. */
    @Override
    public boolean usesCalendar(ApiCall call) {
      return false;
    }

    /** OpenTSDB finds them by the meta table, or needs all tags of a series. */
    @Override
    public boolean findsLatestOfKnownSeries() {
      return false;
    }

    /** OpenTSDB computes those of UTC there. */
    @Override
    public boolean hasCalendarsInExpressions() {
      return false;
    }

    /** OpenTSDB orders them by their starts as given, whether seconds or milliseconds. */
    @Override
    public Comparator<Annotation> annotationOrder() {
      return Comparator.comparingLong(Annotation::startTime);
    }

    /** OpenTSDB takes a negative one for none, or for the usual one. */
    @Override
    public void checkLimit(String what, long limit) {}

    /** OpenTSDB reads the last of several values, and of flags none. */
    @Override
    public ApiCall read(ApiCall call) {
      return call;
    }

    /** OpenTSDB reads only the flag for the form of points. */
    @Override
    public Set<QueryFlag> besideBody(ApiCall call) {
      Set<QueryFlag> flags = QueryFlag.ofParameters(call);
      flags.retainAll(Set.of(QueryFlag.ARRAYS));
      return flags;
    }

    /** OpenTSDB has no milliseconds here. */
    @Override
    public long annotationTime(long millis) {
      return millis / 1000;
    }

    /** OpenTSDB lists none if there are some in the rows it has read, but not in the range. */
    @Override
    public boolean listsNoAnnotations() {
      return true;
    }

    /** OpenTSDB lists none if it is to list none and global ones. */
    @Override
    public void checkAnnotations(boolean none, boolean global) {}

    /** OpenTSDB reads and answers them before those of metrics. */
    @Override
    public boolean readsTsuidsFirst() {
      return true;
    }

    /** OpenTSDB reports it as its own failure. */
    @Override
    public void checkQueries(boolean given) {
      if (!given) {
        throw ApiException.internal("Missing queries");
      }
    }

    /** OpenTSDB reads the range of plots and points as text in seconds. */
    @Override
    public void checkRangeOfText(long from, long to) {
      if (from / 1000 == to / 1000) {
        throw new RequestException(
            "End time ["
                + to / 1000
                + "] must be greater than the start time ["
                + from / 1000
                + "]");
      }
    }

    /** OpenTSDB fails at a time that is too large for its rows, with filters in another way. */
    @Override
    public void checkRange(long from, long to, boolean filtered) {
      for (long time : new long[] {from, to}) {
        if (time > LATEST_MILLIS) {
          String message = "Invalid timestamp: " + time;
          throw filtered ? refused(message) : ApiException.internal(message);
        }
      }
    }

    /** OpenTSDB doesn't name the malformed query of a query string. */
    @Override
    public ApiException malformed(String message, String where) {
      return new ApiException(ApiException.BAD_REQUEST, message);
    }

    /** OpenTSDB reports malformed filters as its own failure. */
    @Override
    public ApiException malformedSeries(String message, String where) {
      return ApiException.internal(message);
    }

    /** OpenTSDB reports it as its own failure. */
    @Override
    public ApiException bodyOfNull() {
      return ApiException.internal("The body is null, not an object");
    }

    /** OpenTSDB fails while it parses the body. */
    @Override
    public ApiException malformedFilter(String message, String place, JsonParser json) {
      return RequestBody.unparsable(place + ": " + message, json);
    }

    /** OpenTSDB repeats the message. */
    @Override
    public ApiException refused(String message) {
      return new ApiException(ApiException.BAD_REQUEST, message, message);
    }

    /** OpenTSDB doesn't name it. */
    @Override
    public ApiException noEndpoint(String path) {
      return new ApiException(
          ApiException.NOT_FOUND,
          path.startsWith("/api/tree/") ? "This endpoint is not supported" : NO_ENDPOINT);
    }

    /** OpenTSDB reads the query before it refuses to search. */
    @Override
    public void checkSearch(ApiCall call) {
      if (call.method().equals("GET")) {
        call.required("query");
      }
    }

    /** OpenTSDB ignores what follows the name of most endpoints. */
    @Override
    public boolean hasEndpointAbove(String path) {
      return path.matches("/(api/)?\\w+/.*") && !path.matches("/api/(search|tree|uid)/[^/]*");
    }

    /** In OpenTSDB it belongs to the path after the endpoint's name. */
    @Override
    public String withoutSlash(String path) {
      return path;
    }

    /** OpenTSDB has its own text for a time that is neither relative nor a date nor a number. */
    @Override
    public void checkTime(String text) {
      if (text.equals("now") || text.endsWith("-ago") || text.endsWith("ms")) {
        return;
      }
      if (text.indexOf('/') >= 0) {
        if (!DATE_LENGTHS.contains(text.length())) {
          throw new RequestException("Invalid absolute date: " + text);
        }
        return;
      }
      if (text.indexOf(':') >= 0) {
        throw new RequestException("Invalid absolute date: " + text);
      }
      if (text.startsWith("-")) {
        throw new RequestException(
            "Invalid time: " + text + ". Negative timestamps are not supported.");
      }
      if (text.indexOf('.') >= 0
          && text.chars().allMatch(c -> c == '.' || (c >= '0' && c <= '9'))
          && !text.matches("\\d{10}\\.\\d{1,3}")) {
        throw new RequestException(
            "Invalid time: "
                + text
                + ". Millisecond timestamps must be in the format <seconds>.<ms> where the"
                + " milliseconds are limited to 3 digits");
      }
      text.chars()
          .filter(c -> (c < '0' || c > '9') && c != '.')
          .findFirst()
          .ifPresent(
              c -> {
                throw new RequestException(
                    "Invalid time: " + text + ". Invalid character '" + (char) c + "' in " + text);
              });
    }

    /** OpenTSDB splits off the metric before it checks that there is one, and fails. */
    @Override
    public void checkTsuid(String tsuid, int metricDigits) {
      if (tsuid.length() < metricDigits) {
        throw ApiException.internal(
            "TSUID '" + tsuid + "': shorter than a metric's UID of " + metricDigits + " digits");
      }
    }

    /** OpenTSDB knows only the names of Java's old time zones. */
    @Override
    ZoneId zone(String name) {
      throw new RequestException(NO_ZONE);
    }

    /** OpenTSDB reads the zone where it uses it: for dates and intervals. */
    @Override
    public boolean checksUnusedZone() {
      return false;
    }

    /** OpenTSDB doesn't look at the method, or takes another endpoint for it. */
    @Override
    public boolean takesAnyMethod() {
      return true;
    }

    /** OpenTSDB doesn't. */
    @Override
    public boolean namesMethods() {
      return false;
    }

    /** OpenTSDB has it since version 2.5. */
    @Override
    public boolean hasStatus() {
      return false;
    }

    /** OpenTSDB drops it silently. */
    @Override
    public String longLine(int maxBytes) {
      return "";
    }

    /** OpenTSDB takes each byte for a character. */
    @Override
    public boolean readsUtf8Targets() {
      return false;
    }

    /** OpenTSDB replaces what is not. */
    @Override
    public String text(byte[] utf8) {
      return new String(utf8, StandardCharsets.UTF_8);
    }

    /** OpenTSDB drops it silently. */
    @Override
    public String unendedLine(String why) {
      return "";
    }

    /** OpenTSDB returns tags in the order of a hash table. */
    @Override
    public boolean hashesTags() {
      return true;
    }

    /** OpenTSDB returns each point. */
    @Override
    public boolean repeatsSeconds() {
      return true;
    }

    /** OpenTSDB leaves that to Java. */
    @Override
    public DecimalForm decimals() {
      return DecimalForm.JAVA;
    }
  };

  private static final String API = "/api/";

  /** With two digits for each part, to days, minutes or seconds. */
  private static final Set<Integer> DATE_LENGTHS = Set.of(10, 16, 19);

  /** The last of 13 digits. */
  private static final long LATEST_MILLIS = 9_999_999_999_999L;

  private static final String NO_ENDPOINT = "Endpoint not found";
  private static final String NO_ZONE = "The timezone specification could not be found";

  private final QueryDialect queries;
  private final BodyDialect bodies;

  ApiDialect(QueryDialect queries, BodyDialect bodies) {
    this.queries = queries;
    this.bodies = bodies;
  }

  /** How bodies are read. */
  public BodyDialect bodies() {
    return bodies;
  }

  /** How single queries are read. */
  public QueryDialect queries() {
    return queries;
  }

  /**
   * A time zone: by the names of Java's old time zones, of which EST is one and GMT+2 is not, or as
   * {@link #zone}.
   *
   * @throws RequestException if there is no such zone
   */
  public final ZoneId timeZone(String name) {
    return Arrays.asList(TimeZone.getAvailableIDs()).contains(name)
        ? TimeZone.getTimeZone(name).toZoneId()
        : zone(name);
  }

  /** Whether functions and formulas have the calendar and the time zone of their request. */
  public boolean hasCalendarsInExpressions() {
    return true;
  }

  /** Whether the latest points are those of the series that are known, however old they are. */
  public boolean findsLatestOfKnownSeries() {
    return true;
  }

  /** Whether a query string requests calendar intervals. */
  public boolean usesCalendar(ApiCall call) {
    return call.parameter("use_calendar")
        .or(() -> call.parameter("useCalendar"))
        .filter(value -> !value.equals("false"))
        .isPresent();
  }

  /** The time zone that a query string names; null or empty for none. */
  public @Nullable String timezone(ApiCall call) {
    return call.parameter("timezone").or(() -> call.parameter("tz")).orElse("");
  }

  /** In which annotations are listed. */
  public Comparator<Annotation> annotationOrder() {
    return Comparator.comparingLong(Annotation::startMillis);
  }

  /**
   * Checks a number that can't be negative, such as the limit of a lookup.
   *
   * @throws RequestException if it is
   */
  public void checkLimit(String what, long limit) {
    if (limit < 0) {
      throw new RequestException(what + ": is negative: " + limit);
    }
  }

  /**
   * The call with its parameters as they are meant.
   *
   * @throws ApiException if one of them can't be meant
   */
  public ApiCall read(ApiCall call) {
    return QueryString.read(call);
  }

  /** The flags of the query string that apply to the queries of a body. */
  public Set<QueryFlag> besideBody(ApiCall call) {
    Set<QueryFlag> flags = QueryFlag.ofParameters(call);
    if (usesCalendar(call)) {
      flags.add(QueryFlag.USE_CALENDAR);
    }
    return flags;
  }

  /** The time of an annotation that a query string has in milliseconds: exactly that. */
  public long annotationTime(long millis) {
    return millis % 1000 == 0 || !Timestamps.isMillis(millis) ? millis / 1000 : millis;
  }

  /** Whether an empty list of annotations is returned if rows that were read have others. */
  public boolean listsNoAnnotations() {
    return false;
  }

  /**
   * @throws RequestException if no annotations are requested, and global ones
   */
  public void checkAnnotations(boolean none, boolean global) {
    if (none && global) {
      throw new RequestException("globalAnnotations contradicts noAnnotations");
    }
  }

  /** Whether the queries of TSUIDs precede those of metrics in a query string. */
  public boolean readsTsuidsFirst() {
    return false;
  }

  /**
   * @param given whether a body has a list of queries
   * @throws ApiException if a missing list is an error of its own
   */
  public void checkQueries(boolean given) {}

  /**
   * @param from in milliseconds
   * @param filtered whether there are filters
   * @throws ApiException if one of the times is too late
   */
  public void checkRange(long from, long to, boolean filtered) {}

  /**
   * Checks the range of a request for plots or for points as text.
   *
   * @throws RequestException if it is refused
   */
  public void checkRangeOfText(long from, long to) {}

  /** A query of a query string can't be read. */
  public ApiException malformed(String message, String where) {
    return new ApiException(ApiException.BAD_REQUEST, message, where);
  }

  /** The series of a query of a query string can't be read. */
  public ApiException malformedSeries(String message, String where) {
    return malformed(message, where);
  }

  /** The body of a request is JSON's null. */
  public ApiException bodyOfNull() {
    return RequestBody.unparsable("not an object, but null");
  }

  /**
   * A filter in a body is invalid.
   *
   * @param place such as {@code queries[0].filters[1]}
   * @param json at the end of it
   */
  public ApiException malformedFilter(String message, String place, JsonParser json) {
    return malformed(message, "in " + place + RequestBody.position(json));
  }

  /** A query was read, and can't be executed. */
  public ApiException refused(String message) {
    return new ApiException(ApiException.BAD_REQUEST, message);
  }

  /** No endpoint has this path. */
  public ApiException noEndpoint(String path) {
    return new ApiException(
        ApiException.NOT_FOUND, NO_ENDPOINT, "The requested endpoint was not found: " + path);
  }

  /**
   * @throws ApiException if a search that needs a plugin is malformed
   */
  public void checkSearch(ApiCall call) {}

  /** Whether an unknown path may be that of the endpoint above it. */
  public boolean hasEndpointAbove(String path) {
    return false;
  }

  /**
   * @throws RequestException if a time can't be read
   */
  public void checkTime(String text) {}

  /**
   * @param metricDigits the number of hex digits of a metric's UID
   * @throws ApiException if the TSUID is too short
   */
  public void checkTsuid(String tsuid, int metricDigits) {}

  /**
   * A time zone by a name that Java's old time zones lack.
   *
   * @throws RequestException if there is no such zone
   */
  ZoneId zone(String name) {
    try {
      return ZoneId.of(name);
    } catch (DateTimeException e) {
      throw new RequestException(NO_ZONE + ": " + name, e);
    }
  }

  /** Whether an unknown time zone is an error though the request doesn't need it. */
  public boolean checksUnusedZone() {
    return true;
  }

  /** A path of the API without a slash at its end, which some clients have in their settings. */
  public String withoutSlash(String path) {
    return path.endsWith("/") && path.startsWith(API) && !path.equals(API)
        ? path.substring(0, path.length() - 1)
        : path;
  }

  /** Whether endpoints that only read, or are older than the API, take requests of any method. */
  public boolean takesAnyMethod() {
    return false;
  }

  /** Whether the refusal of a method names those that are taken. */
  public boolean namesMethods() {
    return true;
  }

  /** Whether {@code /api/status} and telnet's {@code status} are known. */
  public boolean hasStatus() {
    return true;
  }

  /** The reply to a telnet line that is longer than lines may be. */
  public String longLine(int maxBytes) {
    return "illegal argument: a line of more than " + maxBytes + " bytes\n";
  }

  /** Whether a request target with bytes beyond ASCII is in UTF-8. */
  public boolean readsUtf8Targets() {
    return true;
  }

  /**
   * The text of a body.
   *
   * @throws RequestException if it is not UTF-8
   */
  public String text(byte[] utf8) {
    String text = new String(utf8, StandardCharsets.UTF_8);
    if (text.indexOf('\uFFFD') >= 0
        && !Arrays.equals(text.getBytes(StandardCharsets.UTF_8), utf8)) {
      throw new RequestException("badly encoded: the body is not UTF-8");
    }
    return text;
  }

  /** The reply to a last telnet line without a line end. */
  public String unendedLine(String why) {
    return "illegal argument: " + why + "\n";
  }

  /** Whether tags are returned in the order of a hash table. */
  public boolean hashesTags() {
    return false;
  }

  /** Whether the key of a second is repeated if there are several points in it. */
  public boolean repeatsSeconds() {
    return false;
  }

  /** The form of doubles in results. */
  public DecimalForm decimals() {
    return DecimalForm.SHORTEST;
  }
}
