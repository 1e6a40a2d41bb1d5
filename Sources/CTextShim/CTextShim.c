#include "CTextShim.h"
