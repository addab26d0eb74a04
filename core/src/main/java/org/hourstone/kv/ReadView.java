package org.hourstone.kv;

/** The store as of one moment; unaffected by later changes until closed. */
public interface ReadView extends KeyValueReader, AutoCloseable {
  /** Releases the view and closes its cursors. May be repeated. */
  @Override
  void close();
}
