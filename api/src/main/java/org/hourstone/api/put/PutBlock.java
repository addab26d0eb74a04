package org.hourstone.api.put;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.hourstone.api.endpoint.Failures;
import org.hourstone.api.request.ApiCall;
import org.hourstone.error.RequestException;
import org.hourstone.internal.Json;
import org.hourstone.uid.SeriesName;
import org.hourstone.write.NewSeries;
import org.hourstone.write.TextPoints;
import org.jspecify.annotations.Nullable;

/** Points that are parsed together and then written: of a whole body, or of a part of it. */
final class PutBlock implements WrittenPoints {
  /** How many points are looked at for new series at once. */
  private static final int PREPARED = 1024;

  private final PutKind kind;
  private final @Nullable TextPoints batch;
  private final @Nullable ScannedPuts scanned;
  private final List<@Nullable PutPoint> points;
  private final PutReceipts receipts;

  /** How the store failed for the last point that was put by itself; null if it did not. */
  private @Nullable RuntimeException outage;

  private PutBlock(
      PutKind kind,
      @Nullable TextPoints batch,
      @Nullable ScannedPuts scanned,
      List<@Nullable PutPoint> points) {
    this.kind = kind;
    this.batch = batch;
    this.scanned = scanned;
    this.points = points;
    this.receipts = new PutReceipts(points.size());
  }

  /**
   * @param utf8 not changed as long as the block is used
   * @param length of the body in it
   * @param first the index of its first point
   * @throws org.hourstone.api.request.ApiException if the body can't be read
   */
  static PutBlock parse(PutKind kind, PutReader reader, byte[] utf8, int length, long first) {
    TextPoints batch = kind.batch();
    ScannedPuts scanned =
        batch == null ? null : PutScanner.scan(utf8, length, batch, reader.dialect());
    return scanned == null
        ? read(kind, reader, new String(utf8, 0, length, UTF_8), first)
        : new PutBlock(kind, batch, scanned, scanned);
  }

  /**
   * @throws org.hourstone.api.request.ApiException if the body can't be read
   */
  static PutBlock parse(PutKind kind, PutReader reader, String body) {
    byte[] utf8 = body.getBytes(UTF_8);
    boolean isExact = new String(utf8, UTF_8).equals(body); // else it has half a character
    return isExact ? parse(kind, reader, utf8, utf8.length, 0) : read(kind, reader, body, 0);
  }

  private static PutBlock read(PutKind kind, PutReader reader, String body, long first) {
    return new PutBlock(kind, null, null, reader.read(body, first));
  }

  @Override
  public PutReceipts receipts() {
    return receipts;
  }

  @Override
  public int size() {
    return points.size();
  }

  /**
   * Writes the valid points, once.
   *
   * @param call has the parameter {@code mirrored} if another server's mirror sends them
   */
  void write(ApiCall call) {
    if (call.has("mirrored")) {
      receipts.areMirrored();
    }
    if (batch != null && scanned != null) {
      write(scanned, batch);
    } else {
      for (int i = 0; i < points.size(); i++) {
        write(points.get(i), i);
      }
    }
  }

  /** Writes points in their order: those that the batch takes together. */
  private void write(ScannedPuts all, TextPoints taken) {
    int prepared = all.taken();
    for (int i = all.taken(); i < all.size(); i++) {
      if (all.addTo(taken, i)) {
        continue;
      }
      if (i >= prepared && outage == null) {
        prepared = prepare(all, taken, i);
      }
      if (!all.addTo(taken, i)) {
        taken.send(receipts);
        PutPoint point = all.get(i);
        write(point, i);
        all.remember(taken, i, point);
      }
    }
    taken.send(receipts);
  }

  /**
   * Resolves the unknown series of points together.
   *
   * @return the index after the last point that was looked at
   */
  private int prepare(ScannedPuts all, TextPoints taken, int from) {
    int to = Math.min(all.size(), from + PREPARED);
    NewSeries found = taken.newSeries();
    for (int i = from; i < to; i++) {
      all.addTo(found, i, this::name);
    }
    found.resolve();
    return to;
  }

  /** The names of a point; null if it has none that can be put. */
  private @Nullable SeriesName name(@Nullable PutPoint point) {
    return point == null || point.fault() != null || point.metric() == null
        ? null
        : new SeriesName(point.metric(), complete(kind.defaultTag().orThose(point.tags())));
  }

  private void write(@Nullable PutPoint point, int index) {
    if (point == null) {
      receipts.refused(index, "Unexpected null datapoint encountered in set.");
      return;
    }
    Map<String, @Nullable String> tags = kind.defaultTag().orThose(point.tags());
    String why = point.refusal(kind.hasValue(point), tags);
    if (why != null) {
      receipts.refused(index, why);
    } else {
      write(point, String.valueOf(point.metric()), tags, index);
    }
  }

  /** Once the store has failed, calls for names may take long, so no point makes another. */
  private void write(PutPoint point, String metric, Map<String, @Nullable String> tags, int index) {
    if (outage != null) {
      receipts.failed(index, outage);
      return;
    }
    try {
      kind.put(point, metric, complete(tags), receipts, index);
    } catch (RuntimeException e) {
      receipts.failed(index, e);
      outage = Failures.isOfStore(e) ? e : null;
    }
  }

  /**
   * Tags with all their values.
   *
   * @throws RequestException if one is null
   */
  static Map<String, String> complete(Map<String, @Nullable String> tags) {
    Map<String, String> complete = new HashMap<>();
    tags.forEach(
        (tagk, tagv) -> {
          if (tagv == null) {
            throw new RequestException("Invalid tag value with key [" + tagk + "]: null");
          }
          complete.put(tagk, tagv);
        });
    return complete;
  }

  /**
   * The points that are not stored, each as JSON with the reason, generated one by one. Valid after
   * the receipts have been awaited.
   */
  Stream<String> errors() {
    return IntStream.range(0, points.size())
        .filter(i -> receipts.error(i) != null)
        .mapToObj(this::error);
  }

  /** A point as JSON. */
  @Override
  public String text(int i) {
    PutPoint point = points.get(i);
    return point == null ? "null" : Json.text(kind.shown(point));
  }

  private String error(int i) {
    PutPoint point = points.get(i);
    return Json.text(
        Json.object()
            .putPOJO("datapoint", point == null ? null : kind.shown(point))
            .put("error", receipts.error(i)));
  }
}
