package org.hourstone.kv.hbase;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.CompareOperator;
import org.apache.hadoop.hbase.filter.BinaryComparator;
import org.apache.hadoop.hbase.filter.ColumnPaginationFilter;
import org.apache.hadoop.hbase.filter.ColumnRangeFilter;
import org.apache.hadoop.hbase.filter.ColumnValueFilter;
import org.apache.hadoop.hbase.filter.FamilyFilter;
import org.apache.hadoop.hbase.filter.Filter;
import org.apache.hadoop.hbase.filter.FilterList;
import org.apache.hadoop.hbase.filter.SkipFilter;
import org.apache.hadoop.hbase.filter.TimestampsFilter;
import org.hourstone.kv.Family;
import org.hourstone.kv.Limits;
import org.hourstone.kv.Row;

/**
 * The condition of a replacement as a filter of HBase's: a row that meets it has a cell left, any
 * other has none.
 *
 * <p>The row's cells pass that are as observed, in value and time. The last of them is kept if
 * their number is that of the observed cells. A row with a cell of a forbidden qualifier is
 * dropped.
 *
 * <p>A server asks every filter of a list about every cell, which costs the square of their number.
 * So the filters of the cells are the leaves of a tree, whose nodes know the range of qualifiers
 * below them: a cell is compared with those on the way to its leaf.
 *
 * <p>On a family with old versions the server goes on to an older one of a cell that does not pass.
 * A cell that was overwritten there, its old version being as observed, counts as unchanged. It
 * stays, for it is dated later than what is removed.
 */
final class ReplaceCondition {
  /**
   * The comparisons a server makes within some seconds; during that time it holds the row's lock.
   */
  static final int MOST_CELLS = Limits.CELLS_PER_REPLACEMENT;

  /** Children of a node: a server asks all of them where it asks one. */
  private static final int FAN_OUT = 16;

  /** A filter, and the first and last qualifier it can let pass. */
  private record Node(Filter filter, byte[] first, byte[] last) {
    static Node of(Filter filter, byte[] qualifier) {
      return new Node(filter, qualifier, qualifier);
    }
  }

  private ReplaceCondition() {}

  /**
   * The condition that all cells are as observed, and none has one of these qualifiers.
   *
   * @param observed not empty
   * @param forbidden not observed
   */
  static Filter of(Family family, Row observed, List<byte[]> forbidden) {
    byte[] name = Names.bytes(family);
    List<Node> leaves = new ArrayList<>(observed.size() + forbidden.size());
    for (int i = 0; i < observed.size(); i++) {
      byte[] qualifier = observed.qualifier(i);
      Filter value =
          new ColumnValueFilter(name, qualifier, CompareOperator.EQUAL, observed.value(i));
      Filter time = new TimestampsFilter(List.of(observed.writeTime(i)));
      leaves.add(Node.of(all(value, time), qualifier));
    }
    FilterList condition = all(new FamilyFilter(CompareOperator.EQUAL, new BinaryComparator(name)));
    if (!forbidden.isEmpty()) {
      condition.addFilter(new SkipFilter(allBut(forbidden)));
      // Else the server would seek past those that the filter above must see.
      forbidden.forEach(each -> leaves.add(Node.of(range(each, each), each)));
      leaves.sort((one, other) -> Arrays.compareUnsigned(one.first(), other.first()));
    }
    condition.addFilter(tree(leaves));
    condition.addFilter(new ColumnPaginationFilter(1, observed.size() - 1));
    return condition;
  }

  /** Accepts cells with one of these qualifiers. */
  static Filter anyOf(List<byte[]> qualifiers) {
    List<Node> leaves = new ArrayList<>(qualifiers.size());
    sorted(qualifiers).forEach(each -> leaves.add(Node.of(range(each, each), each)));
    return tree(leaves);
  }

  /** Accepts cells with none of these qualifiers: those between two of them. */
  private static Filter allBut(List<byte[]> qualifiers) {
    List<byte[]> bounds = sorted(qualifiers);
    FilterList ends = new FilterList(FilterList.Operator.MUST_PASS_ONE);
    ends.addFilter(new ColumnRangeFilter(null, true, bounds.get(0), false));
    List<Node> gaps = new ArrayList<>();
    for (int i = 1; i < bounds.size(); i++) {
      byte[] from = bounds.get(i - 1);
      byte[] to = bounds.get(i);
      gaps.add(new Node(new ColumnRangeFilter(from, false, to, false), from, to));
    }
    if (!gaps.isEmpty()) {
      ends.addFilter(tree(gaps));
    }
    ends.addFilter(new ColumnRangeFilter(bounds.get(bounds.size() - 1), false, null, true));
    return ends;
  }

  private static List<byte[]> sorted(List<byte[]> qualifiers) {
    return qualifiers.stream().sorted(Arrays::compareUnsigned).toList();
  }

  /**
   * @param leaves by their qualifiers
   */
  private static Filter tree(List<Node> leaves) {
    List<Node> level = leaves;
    do {
      List<Node> above = new ArrayList<>(level.size() / FAN_OUT + 1);
      for (int i = 0; i < level.size(); i += FAN_OUT) {
        above.add(node(level.subList(i, Math.min(level.size(), i + FAN_OUT))));
      }
      level = above;
    } while (level.size() > 1);
    return level.get(0).filter();
  }

  private static Node node(List<Node> children) {
    byte[] first = children.get(0).first();
    byte[] last = children.get(children.size() - 1).last();
    List<Filter> filters = children.stream().map(Node::filter).toList();
    Filter any = new FilterList(FilterList.Operator.MUST_PASS_ONE, filters);
    return new Node(all(range(first, last), any), first, last);
  }

  private static Filter range(byte[] first, byte[] last) {
    return new ColumnRangeFilter(first, true, last, true);
  }

  private static FilterList all(Filter... filters) {
    return new FilterList(FilterList.Operator.MUST_PASS_ALL, filters);
  }
}
