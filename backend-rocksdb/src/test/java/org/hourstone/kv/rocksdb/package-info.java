@NullMarked
package org.hourstone.kv.rocksdb;

import org.jspecify.annotations.NullMarked;
