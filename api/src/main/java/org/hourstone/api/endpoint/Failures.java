package org.hourstone.api.endpoint;

import java.io.IOException;
import java.lang.System.Logger.Level;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.RefusalReason;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.error.RequestException;
import org.hourstone.error.TsdbException;
import org.hourstone.health.DiskReserveException;
import org.hourstone.internal.OutOfMemoryReport;
import org.hourstone.kv.StoreException;
import org.hourstone.query.QueryLimitException;
import org.hourstone.uid.NoSuchNameException;
import org.hourstone.uid.UidAssignmentException;
import org.hourstone.write.InvalidNumberException;

/**
 * Responses to failures, by their category: the status over HTTP, the text for one point of a
 * request, and the reply over telnet. An exception that the engine does not foresee is a fault of
 * the server: it is logged, and its text is not sent.
 */
public final class Failures {
  private static final System.Logger LOG = System.getLogger("org.hourstone.api");
  private static final int TIMED_OUT = 408;
  private static final int TOO_LARGE = 413;
  private static final String OUT_OF_MEMORY = "out of memory: narrow the request";
  private static final String UNEXPECTED = "Internal error; its cause is in the server's log";

  private final ErrorDialect dialect;

  /** Of requests in this dialect. */
  public Failures(ErrorDialect dialect) {
    this.dialect = dialect;
  }

  public ApiResponse response(RuntimeException e) {
    return response(e, "");
  }

  /**
   * @param client its receiver, for the log; may be empty
   */
  public ApiResponse response(Throwable e, String client) {
    OutOfMemoryReport.report(e);
    if (e instanceof ApiException own) {
      return ApiResponse.refused(own.reason(), own.status(), own.getMessage(), own.details());
    }
    if (!(e instanceof OutOfMemoryError) && !isForeseen(e)) {
      logged(e, client);
    }
    return ApiResponse.refused(RefusalReason.of(e), statusOf(e), textOf(e), "");
  }

  /** The status of the response to any failure. */
  int statusOf(Throwable e) {
    return isOfStore(e) ? dialect.ofFailedStore() : status(e);
  }

  /** Whether the store has failed; if its disk is nearly full, that has a status of its own. */
  public static boolean isOfStore(Throwable e) {
    return e instanceof TsdbException failure
        ? failure.category() == TsdbException.Category.STORE
        : e instanceof StoreException && !(e instanceof DiskReserveException);
  }

  /** The text for clients of any failure. */
  static String textOf(Throwable e) {
    if (e instanceof OutOfMemoryError) {
      return OUT_OF_MEMORY;
    }
    if (e instanceof ApiException own) {
      boolean repeats = own.details().isEmpty() || own.details().equals(own.getMessage());
      return repeats ? own.getMessage() : own.getMessage() + ": " + own.details();
    }
    return e instanceof IOException || isForeseen(e) ? String.valueOf(e.getMessage()) : UNEXPECTED;
  }

  /** The text for a point that was not stored; a fault of the server is logged by its caller. */
  public static String ofPoint(RuntimeException e) {
    if (e instanceof InvalidNumberException) {
      return "Unable to parse value to a number";
    }
    if (e instanceof RequestException request) {
      return request.getMessage();
    }
    if (e instanceof NoSuchNameException) {
      return "Unknown metric";
    }
    if (e instanceof StoreException) {
      return "Storage exception: " + e.getMessage();
    }
    return "Unexpected exception";
  }

  /** The reply to a line that failed; a fault of the server is logged by its caller. */
  public static String reply(String command, Throwable e) {
    return command + ": " + ofLine(e) + "\n";
  }

  /** The text for a line that failed. */
  public static String ofLine(Throwable e) {
    return isForeseen(e) ? kind(e) + ": " + e.getMessage() : "internal error: " + UNEXPECTED;
  }

  /** Logs an exception that the engine does not foresee. */
  public static void logUnlessForeseen(Throwable e) {
    if (!isForeseen(e)) {
      logged(e, "");
    }
  }

  private static String kind(Throwable e) {
    if (e instanceof InvalidNumberException) {
      return "invalid value";
    }
    if (e instanceof RequestException) {
      return "illegal argument";
    }
    return e instanceof NoSuchNameException ? "unknown metric" : "storage error";
  }

  /** Whether an exception's message is meant for clients. */
  private static boolean isForeseen(Throwable e) {
    return e instanceof TsdbException
        || e instanceof StoreException
        || e instanceof CorruptDataException;
  }

  /** The status in any dialect, but for a failed store; that of a missing name is OpenTSDB's. */
  private static int status(Throwable e) {
    if (e instanceof ApiException own) {
      return own.status();
    }
    if (e instanceof OutOfMemoryError || e instanceof StoreException) {
      return ApiException.UNAVAILABLE;
    }
    if (!(e instanceof TsdbException failure)) {
      return ApiException.INTERNAL_ERROR;
    }
    return switch (failure.category()) {
      case REQUEST, NOT_FOUND -> ApiException.BAD_REQUEST;
      case LIMIT -> isOfTime(failure) ? TIMED_OUT : TOO_LARGE;
      case CANCELLED, STORE -> ApiException.UNAVAILABLE;
      case CORRUPTION -> ApiException.INTERNAL_ERROR;
    };
  }

  /** Whether the request is wrong, or names something that does not exist. */
  public static boolean isOfRequest(TsdbException e) {
    return status(e) == ApiException.BAD_REQUEST;
  }

  /**
   * Whether what has failed may succeed if it is tried again: the store or the server failed. A
   * name that can get no UID never succeeds: a client that repeats it would not send anything else.
   */
  public static boolean isTemporary(Throwable e) {
    return status(e) >= ApiException.INTERNAL_ERROR && !(e instanceof UidAssignmentException);
  }

  private static boolean isOfTime(TsdbException failure) {
    return failure instanceof QueryLimitException exceeded
        && exceeded.limit() == QueryLimitException.Limit.TIME;
  }

  private static void logged(Throwable e, String client) {
    LOG.log(
        Level.ERROR, "an unexpected exception" + (client.isEmpty() ? "" : ", for " + client), e);
  }
}
