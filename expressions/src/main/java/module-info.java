/** Functions and formulas over the results of queries. */
module org.hourstone.expression {
  requires transitive org.hourstone;
  requires static org.jspecify;

  exports org.hourstone.expression;
}
