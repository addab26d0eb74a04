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
 * The condition of a replacement as an HBase filter: if a row meets it, a cell is left, otherwise
 * none.
 *
 * <p>Cells with the observed value and time pass. The last of them is kept if their number is that
 * of the observed cells. A row that has a cell with a forbidden qualifier is dropped.
 *
 * <p>A server applies every filter of a list to every cell, so the cost would be quadratic.
 * Therefore the filters for cells are the leaves of a tree, in which each node has the range of
 * qualifiers below it: a cell is compared only with the nodes on the path to its leaf.
 *
 * <p>In a family with old versions, the server continues with an older version of a cell that does
 * not pass. So an overwritten cell with an old version as observed counts as unchanged. It stays,
 * since it is dated later than the removed cells.
 */
final class ReplaceCondition {
  /**
   * The number of cells that a server can compare within a few seconds, during which it holds the
   * row's lock.
   */
  static final int MOST_CELLS = Limits.CELLS_PER_REPLACEMENT;

  /** The number of children of a node: a server applies either all of them or none. */
  private static final int FAN_OUT = 16;

  /** A filter, and the first and last qualifier it can let pass. */
  private record Node(Filter filter, byte[] first, byte[] last) {
    static Node of(Filter filter, byte[] qualifier) {
      return new Node(filter, qualifier, qualifier);
    }
  }

  private ReplaceCondition() {}

  /**
   * The condition that all observed cells are unchanged, and no cell has a forbidden qualifier.
   *
   * @param observed not empty
   * @param forbidden qualifiers that were not observed
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
      // Otherwise the server would seek past cells that the filter above must see.
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

  /** Accepts cells with none of these qualifiers, that is, in the gaps between them. */
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
   * @param leaves sorted by their qualifiers
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
