package org.hourstone.testing.beside;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.UncheckedIOException;
import org.hourstone.testing.golden.RequestPort;
import org.hourstone.testing.golden.RequestPort.Response;
import org.hourstone.testing.golden.SameAnswer;

/** The responses of both sides to a request. */
record Answers(Request request, Response theirs, Response ours) {
  /** The status of a connection that ends without an answer. */
  static final int NONE = 0;

  /** Asks one side after the other. */
  static Answers of(
      Request request, RequestPort ours, RequestPort theirs, boolean oursFirst, Tables tables) {
    Response first = answer(request, oursFirst ? ours : theirs, tables);
    Response second = answer(request, oursFirst ? theirs : ours, tables);
    return new Answers(request, oursFirst ? second : first, oursFirst ? first : second);
  }

  private static Response answer(Request request, RequestPort side, Tables tables) {
    request.before().ifPresent(preparation -> preparation.answer(side));
    Response response;
    try {
      response = request.answer(side);
    } catch (UncheckedIOException e) {
      response = new Response(NONE, "", String.valueOf(e.getMessage()));
    }
    request.gone().ifPresent(tables::awaitGone);
    return response;
  }

  /** How ours differs; empty if it doesn't. */
  String difference() {
    return request.method().equals(Request.TELNET)
        ? SameAnswer.ofTelnet(theirs.body(), ours.body())
        : difference(theirs, ours);
  }

  /** How ours would differ with other bodies of the two. */
  String differenceOf(String theirBody, String ourBody) {
    return difference(
        new Response(theirs.status(), theirs.contentType(), theirBody),
        new Response(ours.status(), ours.contentType(), ourBody));
  }

  private String difference(Response one, Response other) {
    return SameAnswer.difference(request.method(), request.uri(), request.body(), one, other);
  }

  boolean bothFound() {
    return theirs.status() == 200 && ours.status() == 200;
  }

  boolean bothFailed() {
    return theirs.status() >= 400 && ours.status() >= 400;
  }

  /** All there is to say. */
  String json() {
    return JsonNodeFactory.instance
        .objectNode()
        .put("request", request.toString())
        .put("difference", difference())
        .put("theirs", theirs.status() + " " + theirs.body())
        .put("ours", ours.status() + " " + ours.body())
        .toString();
  }

  @Override
  public String toString() {
    return request + "\n  " + difference();
  }
}
