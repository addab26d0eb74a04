/** Checks, repairs, copies, dumps and loads stores. */
module org.hourstone.tool {
  requires transitive org.hourstone;
  requires static org.jspecify;
  requires com.fasterxml.jackson.databind;
  requires com.google.common;

  exports org.hourstone.tool;
}
