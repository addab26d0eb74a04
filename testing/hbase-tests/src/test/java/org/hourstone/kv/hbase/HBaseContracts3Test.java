package org.hourstone.kv.hbase;

@Part(2)
class HBaseContracts3Test extends HBaseContracts {}
