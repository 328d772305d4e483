package com.example.shop

import org.gradwire.rpc.RemoteCallable
import org.gradwire.rpc.WireValue

/** A number of items of one kind; it travels by value. */
@WireValue
@JvmRecord
data class Item(val name: String, val number: Int)

/** A till with the items sold; other workers call its functions through a reference. */
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

/** Returns the price of items, in cents. */
@RemoteCallable
fun price(items: List<Item>): Int = items.sumOf { it.number * cents.getValue(it.name) }
