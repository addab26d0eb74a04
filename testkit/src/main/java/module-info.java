/** The contract of stores as tests, and stores that check, fail and record calls. */
module org.hourstone.testkit {
  requires transitive org.hourstone.core;
  requires transitive java.logging;
  requires java.management;
  requires static org.jspecify;
  requires transitive org.junit.jupiter.api;
  requires transitive org.assertj.core;

  exports org.hourstone.testkit;
  exports org.hourstone.testkit.store;

  opens org.hourstone.testkit;
}
