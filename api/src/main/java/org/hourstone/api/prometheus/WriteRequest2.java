package org.hourstone.api.prometheus;

import java.util.Arrays;
import org.hourstone.api.door.NameBytes;
import org.hourstone.api.prometheus.WrittenSamples.Skipped;
import org.hourstone.api.proto.ProtoReader;
import org.hourstone.api.proto.UnreadableException;

/**
 * Reads a request of remote write 2.0, {@code io.prometheus.write.v2.Request}, whose labels are
 * numbers of texts. The labels of each series that has samples are written as in 1.0, so that a
 * series is known by the same bytes. All of them together take no more than a few blocks of memory,
 * and no more time than a request that is {@value #MOST_EXPANSION} times as large.
 */
final class WriteRequest2 {
  static final int SYMBOL = 4;
  static final int TIME_SERIES = 5;

  private static final int LABELS = 1;
  private static final int SAMPLE = 2;
  private static final int HISTOGRAM = 3;
  private static final int EXEMPLAR = 4;
  private static final int METADATA = 5;

  /** More than requests of 64 MB have: where each begins and ends is in memory. */
  private static final int MOST_SYMBOLS = 1 << 20;

  private static final int NONE = -1;

  /** The bytes of labels that are kept before their samples are written. */
  private static final int BLOCK = 1 << 20;

  /** How many times as many bytes as a request has all labels of its series may have together. */
  private static final int MOST_EXPANSION = 100;

  private final ProtoReader in;
  private final int length;
  private final WrittenSamples to;

  /** Where each symbol begins and ends in the request. */
  private int[] symbols = new int[512];

  private int symbolCount;

  /** The symbol of a label whose value has not been read; or {@link #NONE}. */
  private int name = NONE;

  /** The bytes of the labels of the present series that were read so far. */
  private long seriesLabels;

  /** The bytes of labels that may be written yet. */
  private long left;

  /** Whether labels are written, or else only measured. */
  private boolean isWriting;

  private final ProtoBytes labels = new ProtoBytes(BLOCK);

  private WriteRequest2(byte[] body, int length, WrittenSamples to) {
    this.in = new ProtoReader(body, 0, length);
    this.length = length;
    this.to = to;
    this.left = BLOCK + (long) MOST_EXPANSION * length;
  }

  /**
   * Passes all samples on, or fewer if the store fails.
   *
   * @throws UnreadableException if it is malformed; what precedes is passed on
   */
  static void read(byte[] body, int length, WrittenSamples to) throws UnreadableException {
    new WriteRequest2(body, length, to).read();
  }

  private void read() throws UnreadableException {
    while (in.next()) {
      if (in.field() == SYMBOL) {
        addSymbol();
      } else if (in.field() == WriteRequest.TIME_SERIES || in.field() == WriteRequest.METADATA) {
        throw new UnreadableException("it is of remote write 1.0, and its Content-Type says 2.0");
      }
    }
    in.of(in.bytes(), 0, length);
    while (!to.hasFailed() && in.next()) {
      if (in.field() == TIME_SERIES) {
        readSeries();
      }
    }
  }

  private void addSymbol() throws UnreadableException {
    if (symbolCount == MOST_SYMBOLS) {
      throw new UnreadableException("the request has more than " + MOST_SYMBOLS + " symbols");
    }
    if (2 * symbolCount == symbols.length) {
      symbols = Arrays.copyOf(symbols, 2 * symbols.length);
    }
    symbols[2 * symbolCount] = in.from();
    symbols[2 * symbolCount + 1] = in.to();
    symbolCount++;
  }

  private void readSeries() throws UnreadableException {
    int begin = in.from();
    int outer = in.enter();
    boolean hasSamples = readLabels(false);
    if (hasSamples) {
      in.rewind(begin);
      select();
    }
    in.rewind(begin);
    while (!to.hasFailed() && in.next()) {
      readRest();
    }
    in.leave(outer);
  }

  /** Selects the series that is being read, whose labels were measured. */
  private void select() throws UnreadableException {
    if (seriesLabels > LabelSets.LONGEST) {
      to.refuse(NameBytes.tooLong(LabelSets.SERIES_HAS, seriesLabels, LabelSets.LONGEST));
      return;
    }
    left -= seriesLabels;
    if (left < 0) {
      throw new UnreadableException(
          "the labels of its series have more than "
              + MOST_EXPANSION
              + " times as many bytes as the request");
    }
    if (labels.room() < seriesLabels) {
      to.flush();
      labels.clear();
    }
    int from = labels.size();
    boolean unused = readLabels(true);
    to.select(labels.bytes(), from, labels.size());
  }

  /** Reads the fields of a series; returns whether it has samples. */
  private boolean readLabels(boolean write) throws UnreadableException {
    isWriting = write;
    seriesLabels = 0;
    name = NONE;
    boolean hasSamples = false;
    while (in.next()) {
      if (in.field() == LABELS) {
        readReferences();
      }
      hasSamples |= in.field() == SAMPLE;
    }
    if (name != NONE) {
      throw new UnreadableException("a label has a name, but no value");
    }
    return hasSamples;
  }

  /** Numbers of symbols, two for each label: a list, a part of it, or one of them. */
  private void readReferences() throws UnreadableException {
    if (!in.isRange()) {
      addReference(in.number());
      return;
    }
    int outer = in.enter();
    while (in.hasMore()) {
      addReference(in.varint());
    }
    in.leave(outer);
  }

  private void addReference(long symbol) throws UnreadableException {
    if (symbol < 0 || symbol >= symbolCount) {
      throw new UnreadableException("a label has the symbol " + symbol + " of " + symbolCount);
    }
    if (name == NONE) {
      name = (int) symbol;
    } else {
      addLabel((int) symbol);
      name = NONE;
    }
  }

  private void addLabel(int value) {
    long content = ProtoBytes.length(length(name)) + ProtoBytes.length(length(value));
    seriesLabels += ProtoBytes.length(content);
    if (isWriting) {
      labels.head(LabelSets.LABEL, content);
      labels.bytes(LabelSets.NAME, in.bytes(), symbols[2 * name], symbols[2 * name + 1]);
      labels.bytes(LabelSets.VALUE, in.bytes(), symbols[2 * value], symbols[2 * value + 1]);
    }
  }

  private int length(int symbol) {
    return symbols[2 * symbol + 1] - symbols[2 * symbol];
  }

  private void readRest() throws UnreadableException {
    switch (in.field()) {
      case SAMPLE -> to.sample(in);
      case HISTOGRAM -> to.skip(Skipped.NATIVE_HISTOGRAM);
      case EXEMPLAR -> to.skip(Skipped.EXEMPLAR);
      case METADATA -> to.skip(Skipped.METADATA);
      default -> {}
    }
  }
}
