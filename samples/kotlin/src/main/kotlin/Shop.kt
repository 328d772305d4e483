package com.example.shop

import org.gradwire.rpc.RemoteCallable
import org.gradwire.rpc.WireValue

/** Some of one kind of goods; a record, which travels by value. */
@WireValue
@JvmRecord
data class Item(val name: String, val number: Int)

/** What is sold, and where; other workers call its functions through a reference. */
@RemoteCallable
class Till {
    private val sold = mutableListOf<Item>()

    @Synchronized
    fun sell(item: Item): Int {
        sold += item
        return sold.size
    }
}

private val cents = mapOf("pears" to 50, "plums" to 20)

/** What some items cost, in cents. */
@RemoteCallable
fun price(items: List<Item>): Int = items.sumOf { it.number * cents.getValue(it.name) }
