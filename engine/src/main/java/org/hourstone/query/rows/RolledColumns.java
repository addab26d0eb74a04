package org.hourstone.query.rows;

import static java.util.Objects.requireNonNull;

import java.util.List;
import org.hourstone.codec.CorruptDataException;
import org.hourstone.codec.DuplicatePolicy;
import org.hourstone.codec.RollupQualifier;
import org.hourstone.codec.coded.CodedRollups;
import org.hourstone.kv.CodedRow;
import org.hourstone.kv.Row;
import org.hourstone.query.CorruptionPolicy;
import org.hourstone.rollup.RollupConfig;
import org.hourstone.rollup.RollupPoints;
import org.hourstone.rollup.RollupRowDecoder;
import org.jspecify.annotations.Nullable;

/**
 * The rolled-up values of some aggregations in the rows of one series and base time. Reused from
 * row to row; not thread-safe.
 */
final class RolledColumns {
  private final List<RollupRowDecoder> decoders;
  private final List<RollupPoints> values;
  private final CorruptionPolicy corruption;
  private final boolean ids;

  /**
   * @param ids whether cells whose qualifier has a name are skipped: values that are computed have
   *     the aggregation's id
   */
  RolledColumns(
      RollupConfig config,
      List<String> aggregators,
      DuplicatePolicy duplicates,
      CorruptionPolicy corruption,
      boolean ids) {
    this.decoders =
        aggregators.stream().map(name -> new RollupRowDecoder(config, name, duplicates)).toList();
    this.values = aggregators.stream().map(name -> new RollupPoints()).toList();
    this.corruption = corruption;
    this.ids = ids;
  }

  /** How many aggregations there are. */
  int count() {
    return values.size();
  }

  /** The values of an aggregation in the rows that were decoded last. */
  RollupPoints of(int aggregation) {
    return values.get(aggregation);
  }

  void decode(List<Row> rows) {
    if (rows.size() > 1 || !addCoded(rows.get(0).codedRow())) {
      decoders.forEach(RollupRowDecoder::start);
      rows.forEach(this::addCells);
    }
    try {
      for (int i = 0; i < decoders.size(); i++) {
        decoders.get(i).finish(values.get(i));
      }
    } catch (CorruptDataException e) {
      throw corruption.failure(rows.get(0).key(), e);
    }
  }

  /**
   * Takes the values from their coded forms, and returns whether it could: where two forms have an
   * interval, cells decide.
   */
  private boolean addCoded(@Nullable CodedRow row) {
    if (row == null || !row.codec().equals(CodedRollups.NAME)) {
      return false;
    }
    decoders.forEach(RollupRowDecoder::start);
    try {
      for (CodedRow.Form form : row.forms()) {
        if (!CodedRollups.read(
            form.bytes(),
            form.from(),
            form.to(),
            id -> decoder(id) != null,
            (id, column, ages) ->
                requireNonNull(decoder(id)).addAll(column, ages, form.newest()))) {
          return false;
        }
      }
    } catch (IllegalArgumentException e) {
      return false; // reading its cells says what is wrong
    }
    return decoders.stream().allMatch(RollupRowDecoder::isDistinct);
  }

  private @Nullable RollupRowDecoder decoder(int id) {
    for (RollupRowDecoder decoder : decoders) {
      if (decoder.aggregationId() == id) {
        return decoder;
      }
    }
    return null;
  }

  private void addCells(Row row) {
    for (int i = 0; i < row.size(); i++) {
      if (ids && !RollupQualifier.hasId(row.qualifier(i))) {
        continue;
      }
      try {
        for (RollupRowDecoder decoder : decoders) {
          decoder.add(row.qualifier(i), row.value(i), row.writeTime(i));
        }
      } catch (CorruptDataException e) {
        corruption.cell(row.key(), row.qualifier(i), e);
      }
    }
  }
}
