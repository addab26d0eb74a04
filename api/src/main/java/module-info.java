/** OpenTSDB's HTTP and telnet requests and responses, as functions of text. */
module org.hourstone.api {
  requires transitive org.hourstone;
  requires static org.jspecify;
  requires aircompressor;
  requires com.fasterxml.jackson.databind;
  requires com.google.common;
  requires re2j;
  requires java.management;
  requires org.hourstone.expression;

  exports org.hourstone.api;
  exports org.hourstone.api.request;
}
