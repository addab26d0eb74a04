package org.hourstone.api.endpoint;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Set;
import org.hourstone.api.request.ApiCall;
import org.hourstone.api.request.ApiException;
import org.hourstone.error.RequestException;
import org.hourstone.internal.DecimalForm;
import org.hourstone.query.QueryDialect;

/**
 * How requests for queries are read and their errors are reported ({@code
 * hourstone.strict=requests}). See {@code docs/api.md}.
 */
public enum ApiDialect {
  HOURSTONE(
      QueryDialect.HOURSTONE,
      BodyDialect.HOURSTONE,
      PathDialect.HOURSTONE,
      TimeDialect.HOURSTONE,
      QueryFaultDialect.HOURSTONE,
      AnnotationDialect.HOURSTONE),
  OPENTSDB(
      QueryDialect.OPENTSDB,
      BodyDialect.OPENTSDB,
      PathDialect.OPENTSDB,
      TimeDialect.OPENTSDB,
      QueryFaultDialect.OPENTSDB,
      AnnotationDialect.OPENTSDB) {
    /** OpenTSDB finds them by the meta table, or needs all tags of a series. */
    @Override
    public boolean findsLatestOfKnownSeries() {
      return false;
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

    /** OpenTSDB reads and answers them before those of metrics. */
    @Override
    public boolean readsTsuidsFirst() {
      return true;
    }

    /** OpenTSDB reads the query before it refuses to search. */
    @Override
    public void checkSearch(ApiCall call) {
      if (call.method().equals("GET")) {
        call.required("query");
      }
    }

    /** OpenTSDB drops it silently. */
    @Override
    public String longLine(int maxBytes) {
      return "";
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

  private final QueryDialect queries;
  private final BodyDialect bodies;
  private final PathDialect paths;
  private final TimeDialect times;
  private final QueryFaultDialect faults;
  private final AnnotationDialect annotations;

  ApiDialect(
      QueryDialect queries,
      BodyDialect bodies,
      PathDialect paths,
      TimeDialect times,
      QueryFaultDialect faults,
      AnnotationDialect annotations) {
    this.queries = queries;
    this.bodies = bodies;
    this.paths = paths;
    this.times = times;
    this.faults = faults;
    this.annotations = annotations;
  }

  /** How requests find their endpoints. */
  public PathDialect paths() {
    return paths;
  }

  /** How times, time zones and calendars are read. */
  public TimeDialect times() {
    return times;
  }

  /** How faults of queries are reported. */
  public QueryFaultDialect faults() {
    return faults;
  }

  /** How annotations are requested and listed. */
  public AnnotationDialect annotations() {
    return annotations;
  }

  /** How bodies are read. */
  public BodyDialect bodies() {
    return bodies;
  }

  /** How single queries are read. */
  public QueryDialect queries() {
    return queries;
  }

  /** Whether the latest points are those of the series that are known, however old they are. */
  public boolean findsLatestOfKnownSeries() {
    return true;
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
    if (times.usesCalendar(call)) {
      flags.add(QueryFlag.USE_CALENDAR);
    }
    return flags;
  }

  /** Whether the queries of TSUIDs precede those of metrics in a query string. */
  public boolean readsTsuidsFirst() {
    return false;
  }

  /**
   * @throws ApiException if a search that needs a plugin is malformed
   */
  public void checkSearch(ApiCall call) {}

  /** The reply to a telnet line that is longer than lines may be. */
  public String longLine(int maxBytes) {
    return "illegal argument: a line of more than " + maxBytes + " bytes\n";
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
