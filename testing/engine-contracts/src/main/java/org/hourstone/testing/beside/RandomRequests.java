package org.hourstone.testing.beside;

import static org.hourstone.testing.beside.Request.get;

import java.util.List;
import org.hourstone.testing.reference.Features;
import org.hourstone.testing.reference.RandomPoints;
import org.hourstone.testing.reference.RandomQuery;

/**
 * Draws requests of every kind.
 *
 * @param derived whether also of rolled-up values and histograms
 */
record RandomRequests(Draw draw, Written written, boolean derived) {
  /** Each as often as it is there. */
  private static final List<String> KINDS =
      List.of(
          "query",
          "query",
          "query",
          "query",
          "query",
          "query",
          "query",
          "query",
          "gexp",
          "gexp",
          "exp",
          "exp",
          "last",
          "lookup",
          "suggest",
          "annotation",
          "annotation",
          "uid",
          "put",
          "telnet",
          "general");

  /** Of rolled-up values and histograms. */
  private static final List<String> DERIVED =
      List.of(
          "rolled",
          "rolled",
          "rolled",
          "rolled",
          "rolled",
          "histograms",
          "histograms",
          "histograms",
          "histograms",
          "rolled-put",
          "histogram-put");

  private static final List<String> GENERAL =
      List.of(
          "/api/aggregators",
          "/aggregators",
          "/api/config/filters",
          "/api",
          "/api/nosuch",
          "/api/query/nosuch",
          "/api/search/uidmeta",
          "/api/search/nosuch",
          "/api/uid/nosuch",
          "/api/tree/nosuch",
          "/api/rollup",
          "/api/histogram");

  static void declare(Features features, boolean derived) {
    features.know("kind", KINDS);
    features.know("general", GENERAL);
    RandomPoints.declare(features);
    RandomQuery.declare(features);
    QueryRequests.declare(features);
    ExpressionRequests.declare(features);
    NameRequests.declare(features);
    AnnotationRequests.declare(features);
    WriteRequests.declare(features);
    Mutation.declare(features);
    if (derived) {
      features.know("derived", DERIVED);
      DerivedRequests.declare(features);
    }
  }

  Request next() {
    boolean spoilt = draw.once(6);
    Request drawn = right(spoilt);
    return spoilt && mayBeSpoilt(drawn) ? new Mutation(draw).of(drawn) : drawn;
  }

  /** Not if it would then make something that is made only once, or delete it. */
  private static boolean mayBeSpoilt(Request drawn) {
    return !drawn.method().equals(Request.TELNET)
        && drawn.before().isEmpty()
        && drawn.gone().isEmpty()
        && !drawn.path().equals(QueryRequests.TEXT) // else it may be for a picture
        && !drawn.path().matches("/api/uid/(assign|rename)");
  }

  private Request right(boolean spoilt) {
    if (derived && draw.once(2)) {
      return ofDerived();
    }
    return switch (draw.feature("kind", KINDS)) {
      case "query" -> new QueryRequests(draw, written).next(!spoilt);
      case "gexp" -> new ExpressionRequests(draw, written).function();
      case "exp" -> new ExpressionRequests(draw, written).formula();
      case "last" -> new NameRequests(draw, written).last();
      case "lookup" -> new NameRequests(draw, written).lookup();
      case "suggest" -> new NameRequests(draw, written).suggest();
      case "annotation" -> new AnnotationRequests(draw, written).next();
      case "uid" -> new NameRequests(draw, written).uid();
      case "put" -> new WriteRequests(draw, written).http();
      case "telnet" -> new WriteRequests(draw, written).telnet();
      default -> get("general", draw.feature("general", GENERAL));
    };
  }

  private Request ofDerived() {
    DerivedRequests requests = new DerivedRequests(draw, written);
    return switch (draw.feature("derived", DERIVED)) {
      case "rolled" -> requests.rolled();
      case "histograms" -> requests.histograms();
      case "rolled-put" -> requests.rolledPut();
      default -> requests.histogramPut();
    };
  }
}
