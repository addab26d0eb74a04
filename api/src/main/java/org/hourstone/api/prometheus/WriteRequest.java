package org.hourstone.api.prometheus;

import java.io.ByteArrayOutputStream;
import org.hourstone.api.prometheus.WrittenSamples.Skipped;
import org.hourstone.api.proto.ProtoReader;
import org.hourstone.api.proto.UnreadableException;

/** Reads a request of remote write 1.0, {@code prometheus.WriteRequest}. */
final class WriteRequest {
  static final int TIME_SERIES = 1;
  static final int METADATA = 3;

  /** Bytes of a series with its labels and a sample. */
  private static final int USUAL_SERIES = 128;

  private static final int SAMPLE = 2;
  private static final int EXEMPLAR = 3;
  private static final int HISTOGRAM = 4;

  private WriteRequest() {}

  /**
   * Passes all samples on, or fewer if the store fails.
   *
   * @throws UnreadableException if it is malformed; what precedes is passed on
   */
  static void read(byte[] body, int length, WrittenSamples to) throws UnreadableException {
    ProtoReader in = new ProtoReader(body, 0, length);
    to.expect(length / USUAL_SERIES);
    while (!to.hasFailed() && in.next()) {
      switch (in.field()) {
        case TIME_SERIES -> readSeries(in, to);
        case METADATA -> to.skip(Skipped.METADATA);
        case WriteRequest2.SYMBOL, WriteRequest2.TIME_SERIES ->
            throw new UnreadableException(
                "it is of remote write 2.0, and its Content-Type has no"
                    + " proto=io.prometheus.write.v2.Request");
        default -> {}
      }
    }
  }

  private static void readSeries(ProtoReader in, WrittenSamples to) throws UnreadableException {
    int begin = in.from();
    int outer = in.enter();
    int passed = in.pass(LabelSets.LABEL);
    in.pass(SAMPLE);
    if (!in.hasMore()) { // all that most senders send
      to.select(in.bytes(), begin, passed);
      in.rewind(passed);
    } else {
      in.rewind(begin);
      selectLabels(in, to, begin);
    }
    readSamples(in, to);
    in.leave(outer);
  }

  /** Selects the series, and goes back to a field before which are only labels. */
  private static void selectLabels(ProtoReader in, WrittenSamples to, int begin)
      throws UnreadableException {
    int labels = begin;
    int labelsEnd = begin;
    boolean areTogether = true;
    while (in.next()) {
      boolean isLabel = in.field() == LabelSets.LABEL;
      int from = in.fieldAt();
      if (isLabel) {
        boolean isFirst = labels == labelsEnd;
        areTogether &= isFirst || from == labelsEnd;
        labels = isFirst ? from : labels;
        labelsEnd = in.to();
      }
    }
    if (areTogether) {
      to.select(in.bytes(), labels, labelsEnd);
      in.rewind(labels == begin ? labelsEnd : begin);
    } else {
      in.rewind(begin);
      byte[] gathered = labels(in);
      to.select(gathered, 0, gathered.length);
      in.rewind(begin);
    }
  }

  /** The fields of labels that have others between them, which no known sender does. */
  private static byte[] labels(ProtoReader in) throws UnreadableException {
    ByteArrayOutputStream gathered = new ByteArrayOutputStream();
    while (in.next()) {
      if (in.field() == LabelSets.LABEL) {
        gathered.write(in.bytes(), in.fieldAt(), in.to() - in.fieldAt());
      }
    }
    return gathered.toByteArray();
  }

  private static void readSamples(ProtoReader in, WrittenSamples to) throws UnreadableException {
    while (!to.hasFailed() && in.next()) {
      switch (in.field()) {
        case SAMPLE -> to.sample(in);
        case EXEMPLAR -> to.skip(Skipped.EXEMPLAR);
        case HISTOGRAM -> to.skip(Skipped.NATIVE_HISTOGRAM);
        default -> {}
      }
    }
  }
}
